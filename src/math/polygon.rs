//! Convex polygons in space.

use super::Vec3;

/// Keeps what of a convex polygon has n·x <= offset (Sutherland and Hodgman 1974); `from` is room to work in.
pub fn clip(polygon: &mut Vec<Vec3<f32>>, from: &mut Vec<Vec3<f32>>, n: Vec3<f32>, offset: f32) {
    std::mem::swap(polygon, from);
    polygon.clear();
    let over = |p: Vec3<f32>| n.dot(p) - offset;
    for (k, p) in from.iter().enumerate() {
        let q = from[(k + 1) % from.len()];
        let (dp, dq) = (over(*p), over(q));
        if dp <= 0.0 {
            polygon.push(*p);
        }
        if (dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0) {
            polygon.push(*p + (q - *p) * (dp / (dp - dq)));
        }
    }
}
