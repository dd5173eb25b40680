//! What only this room sees: the nearest element is that of a look at all of them.

use super::nearest::Nearest;
use crate::math::Vec3;
use proptest::prelude::*;

/// Corners among few places, so that elements coincide.
fn corners() -> impl Strategy<Value = [f32; 3]> {
    prop::array::uniform3(0..5_i8).prop_map(|v| v.map(f32::from))
}

proptest! {
    #[test]
    fn finds_the_first_of_the_nearest(
        list in prop::collection::vec(prop::array::uniform3(corners()), 0..60),
        point in corners(),
        guess in 0..60_u32,
    ) {
        // The middle lies in the box, as it must.
        let distance = |i: u32| -> Option<f64> {
            let [a, b, c]: [Vec3<f64>; 3] = list[i as usize].map(|v| Vec3::from(v).to_f64());
            let apart = (Vec3::from(point).to_f64() - (a + b + c) * (1.0 / 3.0)).length();
            (i % 7 != 3).then_some(apart)
        };
        let all = (0..list.len() as u32).filter_map(|i| Some((distance(i)?, i)));
        let expected = all.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, i)| i);
        let tree = Nearest::new((0..).zip(list.iter().copied()));
        let guess = (guess < list.len() as u32).then_some(guess);
        prop_assert_eq!(tree.find(point, guess, distance), expected);
    }
}
