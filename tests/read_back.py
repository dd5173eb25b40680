"""Reads a recording as the programs read it that it is for, and prints what they found as JSON.

    read_back.py FILE.npy|FILE.pvd|FILE.usda

Ends with 77 where the package that reads the form is not installed.
"""

import json
import os
import sys
import xml.etree.ElementTree as xml


def npy(path):
    import numpy

    array = numpy.load(path)
    return {"type": array.dtype.str, "frames": array.tolist()}


def pvd(path):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

    found = {"times": [], "frames": [], "velocity": [], "body": [], "cells": []}
    for entry in xml.parse(path).iter("DataSet"):
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(os.path.join(os.path.dirname(path), entry.get("file")))
        reader.Update()
        grid = reader.GetOutput()
        data = grid.GetPointData()
        found["times"].append(float(entry.get("timestep")))
        found["frames"].append(vtk_to_numpy(grid.GetPoints().GetData()).tolist())
        found["velocity"].append(vtk_to_numpy(data.GetArray("velocity")).tolist())
        found["body"].append(vtk_to_numpy(data.GetArray("body")).tolist())
        cells = (grid.GetCell(i).GetPointIds() for i in range(grid.GetNumberOfCells()))
        found["cells"].append([[ids.GetId(k) for k in range(ids.GetNumberOfIds())] for ids in cells])
    return found


def usda(path):
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(path)
    found = {
        "rate": stage.GetTimeCodesPerSecond(),
        "range": [stage.GetStartTimeCode(), stage.GetEndTimeCode()],
        "meters": UsdGeom.GetStageMetersPerUnit(stage),
        "up": str(UsdGeom.GetStageUpAxis(stage)),
        "prims": {},
    }
    for prim in stage.Traverse():
        if not prim.IsA(UsdGeom.PointBased):
            continue
        frames = []
        for frame in range(1, int(stage.GetEndTimeCode()) + 1):
            world = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(frame)
            points = UsdGeom.PointBased(prim).GetPointsAttr().Get(frame)
            frames.append([list(world.Transform(point)) for point in points])
        faces = prim.GetAttribute("faceVertexIndices").Get() if prim.IsA(UsdGeom.Mesh) else []
        found["prims"][str(prim.GetPath())] = {"frames": frames, "faces": list(faces)}
    return found


try:
    found = {".npy": npy, ".pvd": pvd, ".usda": usda}[os.path.splitext(sys.argv[1])[1]](sys.argv[1])
except ModuleNotFoundError as missing:
    print(missing.name)
    sys.exit(77)
print(json.dumps(found))
