//! Kinds of joints: what each lets go.

use super::formula::JointBlock;

/// What a kind of joint is.
pub(super) struct KindTraits {
    /// The word in scene files.
    pub(super) name: &'static str,
    /// Its rows.
    pub(super) block: JointBlock,
    /// The coordinates that limits and motors act on.
    pub(super) limited: Option<JointBlock>,
    pub(super) driven: Option<JointBlock>,
    pub(super) needs_axis: bool,
    /// Whether it holds an orientation.
    pub(super) turns: bool,
}

/// What a joint lets go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// Turns about a point.
    Ball,
    /// A ball joint that slides along a line of the first body.
    Line,
    /// A ball joint that slides in a plane of the first body.
    Plane,
    /// Turns about an axis.
    Hinge,
    /// Turns about an axis of the first body and one of the second at right angles to it.
    Universal,
    /// Slides along an axis of the first body.
    Slider,
    /// Nothing.
    Fixed,
    /// All but the distance of two points.
    Distance,
    /// Moves, and does not turn.
    Orientation,
    /// Moves, and turns about an axis.
    Parallel,
    /// Moves, and turns about an axis of the first body and one of the second at right angles to it.
    Perpendicular,
}

impl JointKind {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Ball,
        Self::Line,
        Self::Plane,
        Self::Hinge,
        Self::Universal,
        Self::Slider,
        Self::Fixed,
        Self::Distance,
        Self::Orientation,
        Self::Parallel,
        Self::Perpendicular,
    ];

    /// The word in scene files.
    pub fn name(self) -> &'static str {
        self.traits().name
    }

    pub(super) fn traits(self) -> KindTraits {
        use JointBlock::{Angle, Length, Swing, Turn, Way};
        let of = |name, block| KindTraits {
            name,
            block,
            limited: None,
            driven: None,
            needs_axis: false,
            turns: false,
        };
        let along = |coordinate, kind| KindTraits {
            limited: Some(coordinate),
            driven: Some(coordinate),
            needs_axis: true,
            ..kind
        };
        let turned = |kind| KindTraits { turns: true, ..kind };
        let swings = |kind| KindTraits { limited: Some(Swing), driven: Some(Turn), ..kind };
        match self {
            Self::Ball => swings(of("ball", JointBlock::Ball)),
            Self::Line => along(Way, of("line", JointBlock::Line)),
            Self::Plane => KindTraits { needs_axis: true, ..of("plane", JointBlock::Plane) },
            Self::Hinge => turned(along(Angle, of("hinge", JointBlock::Hinge))),
            Self::Universal => {
                turned(KindTraits { needs_axis: true, ..of("universal", JointBlock::Universal) })
            }
            Self::Slider => turned(along(Way, of("slider", JointBlock::Slider))),
            Self::Fixed => turned(of("fixed", JointBlock::Fixed)),
            Self::Distance => KindTraits {
                limited: Some(Length),
                driven: Some(Length),
                ..of("distance", JointBlock::Rod)
            },
            Self::Orientation => turned(swings(of("orientation", JointBlock::Orientation))),
            Self::Parallel => turned(along(Angle, of("parallel", JointBlock::Parallel))),
            Self::Perpendicular => turned(KindTraits {
                needs_axis: true,
                ..of("perpendicular", JointBlock::Perpendicular)
            }),
        }
    }

    /// Whether it holds a point, or a distance from one.
    pub fn has_anchor(self) -> bool {
        !matches!(self, Self::Orientation | Self::Parallel | Self::Perpendicular)
    }

    /// Whether it must have an axis; some kinds only where they have limits.
    pub fn needs_axis(self, limited: bool) -> bool {
        let traits = self.traits();
        traits.needs_axis || (limited && traits.limited == Some(JointBlock::Swing))
    }

    /// Whether an axis of it is of any use.
    pub fn has_axis(self) -> bool {
        self.needs_axis(true)
    }

    /// Whether limits or a motor stand in place of its own rows: it is free but for them.
    pub(super) fn is_freed(self) -> bool {
        matches!(self, Self::Distance | Self::Orientation)
    }
}
