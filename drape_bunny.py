import json
n=40
pos=[[ (i%n)/(n-1)*1.0-0.5, 0.75, (i//n)/(n-1)*1.0-0.5] for i in range(n*n)]
tri=[]
f=open('cloth.obj','w')
for p in pos: f.write("v %g %g %g\n"%tuple(p))
for z in range(n-1):
    for x in range(n-1):
        a=z*n+x
        f.write("f %d %d %d\nf %d %d %d\n"%(a+1,a+n+1,a+2,a+2,a+n+1,a+n+2))
f.close()
json.dump({"taut":1,"dt":1/60,"substeps":10,"iterations":2,"damping":0.5,"meshes":[{"file":"cloth.obj","as":"cloth","bend":{"compliance":0.01}}],
"colliders":[{"shape":"mesh","file":"/work/shared/meshes/bunny_3k.obj","scale":SC,"translate":[0,0,0]}] if False else [],
},open('d.json','w'))
