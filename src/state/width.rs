//! What particles and bodies are written over: a number of one or eight lanes that goes into and out of all views.

use super::body_view::BodyWidth;
use super::lane_number::LaneNumber;
use super::position_view::PositionWidth;

/// A number of one or more lanes, and how it is loaded from particles and bodies and stored there.
pub(crate) trait Width:
    PositionWidth + BodyWidth + LaneNumber<Element: PositionWidth + BodyWidth>
{
}

impl<W> Width for W where
    W: PositionWidth + BodyWidth + LaneNumber<Element: PositionWidth + BodyWidth>
{
}
