//! A dense solver in f64: what iterations are compared with.

/// Solves `a` x = `b` by elimination with the largest pivot of each column; nothing where `a` is singular.
///
/// # Panics
/// If `a` is not square or not as long as `b`.
pub(super) fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    assert!(a.len() == n && a.iter().all(|row| row.len() == n));
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        if a[pivot][k] == 0.0 {
            return None;
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let by = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= by * a[k][j];
            }
            b[i] -= by * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    Some(b)
}

#[test]
fn a_dense_system_is_solved() {
    // Needs its rows exchanged; of numbers that are exact.
    let a = vec![vec![0.0, 2.0, 1.0], vec![1.0, 1.0, 0.0], vec![4.0, 0.0, 2.0]];
    assert_eq!(solve(a, vec![7.0, 3.0, 10.0]), Some(vec![1.0, 2.0, 3.0]));
    assert_eq!(solve(vec![vec![1.0, 2.0], vec![2.0, 4.0]], vec![1.0, 2.0]), None);
}
