//! The 255 colors that serve a whole animation best: median cut over all of its frames, so that no color flickers.

/// Bits kept of each channel when colors are counted.
const BITS: u32 = 6;

/// At most this many colors: a GIF holds one more, which stands for "as before".
pub(super) const COLORS: usize = 255;

/// The colors of an animation, and for every color the one that stands for it.
pub(super) struct Palette {
    /// Red, green and blue of each color.
    pub colors: Vec<[u8; 3]>,
    /// By the color's upper bits; only colors that were counted have an entry.
    nearest: Vec<u8>,
}

/// How often each color occurs.
pub(super) struct Census {
    /// By the color's upper bits: the sums of red, green and blue, and the pixels.
    sums: Vec<[u64; 4]>,
}

/// Colors alike in their upper bits: how many pixels, and their mean.
#[derive(Clone, Copy)]
struct Bin {
    index: usize,
    count: f64,
    mean: [f64; 3],
}

impl Census {
    pub fn new() -> Self {
        Self { sums: vec![[0; 4]; 1 << (3 * BITS)] }
    }

    /// Counts the pixels of a frame.
    pub fn count(&mut self, pixels: &[u32]) {
        for &pixel in pixels {
            let sum = &mut self.sums[index(pixel)];
            sum[3] += 1;
            for (k, shift) in [16, 8, 0].into_iter().enumerate() {
                sum[k] += u64::from(pixel >> shift & 0xff);
            }
        }
    }
}

impl Palette {
    /// The colors for everything that was counted.
    pub fn of(Census { sums }: &Census) -> Self {
        let counted = sums.iter().enumerate().filter(|(_, sum)| sum[3] > 0);
        let bins: Vec<Bin> = counted
            .map(|(index, sum)| Bin {
                index,
                count: sum[3] as f64,
                mean: [0, 1, 2].map(|k| sum[k] as f64 / sum[3] as f64),
            })
            .collect();
        let colors: Vec<[f64; 3]> = boxes(bins.clone()).iter().map(|b| mean(b)).collect();
        let mut nearest = vec![0; sums.len()];
        for bin in &bins {
            let far = |c: &[f64; 3]| (0..3).map(|k| (c[k] - bin.mean[k]).powi(2)).sum::<f64>();
            let near =
                (0..colors.len()).min_by(|&a, &b| far(&colors[a]).total_cmp(&far(&colors[b])));
            nearest[bin.index] = near.unwrap_or(0) as u8;
        }
        let colors = colors.iter().map(|c| c.map(|c| c.round() as u8)).collect();
        Self { colors, nearest }
    }

    /// The color that stands for one that was counted.
    pub fn nearest(&self, color: u32) -> u8 {
        self.nearest[index(color)]
    }
}

/// A color's upper bits as one number.
fn index(color: u32) -> usize {
    let upper = |shift: u32| (color >> shift & 0xff) >> (8 - BITS);
    (upper(16) << (2 * BITS) | upper(8) << BITS | upper(0)) as usize
}

/// Up to [`COLORS`] groups: the group of the largest spread is cut in two at its mean, over and over.
fn boxes(bins: Vec<Bin>) -> Vec<Vec<Bin>> {
    let mut groups = vec![(spread(&bins), bins)];
    while groups.len() < COLORS {
        let widest = groups.iter().enumerate().max_by(|(_, a), (_, b)| a.0.0.total_cmp(&b.0.0));
        let Some((at, ((size, axis), _))) = widest else {
            break;
        };
        if *size <= 0.0 {
            break;
        }
        let (axis, (_, group)) = (*axis, groups.swap_remove(at));
        let middle = mean(&group)[axis];
        let (low, high): (Vec<Bin>, Vec<Bin>) =
            group.into_iter().partition(|b| b.mean[axis] <= middle);
        groups.push((spread(&low), low));
        groups.push((spread(&high), high));
    }
    groups.into_iter().map(|(_, bins)| bins).collect()
}

/// The mean color of some bins.
fn mean(bins: &[Bin]) -> [f64; 3] {
    let count: f64 = bins.iter().map(|b| b.count).sum();
    [0, 1, 2].map(|k| bins.iter().map(|b| b.count * b.mean[k]).sum::<f64>() / count.max(1.0))
}

/// The largest sum of squared deviations along a channel, and the channel.
fn spread(bins: &[Bin]) -> (f64, usize) {
    let middle = mean(bins);
    let along = |k: usize| bins.iter().map(|b| b.count * (b.mean[k] - middle[k]).powi(2)).sum();
    let mut widest = (0.0, 0);
    for k in 0..3 {
        let size: f64 = along(k);
        // A single color's deviation is rounding only.
        if size > widest.0 && bins.len() > 1 {
            widest = (size, k);
        }
    }
    widest
}
