//! What the readers promise, on small files written out here and on the shared ones.
