//! Rows of particle kinds at arms of bodies, for every kind by its registration alone: what one projection does against the
//! row's own C, momenta, joints that hold the same, methods and threads.

mod models;
mod projection;
