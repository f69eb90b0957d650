//! The instruction sets that the inner loops are compiled for, one of which is chosen while running.

/// A level of vector instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// What every processor of the target has: SSE2 on x86-64, NEON on 64-bit Arm, for which the compiler turns the same
    /// loops into vector instructions.
    Portable,
    /// 256-bit integer vectors (x86-64).
    Avx2,
    /// 512-bit integer vectors, with 64-bit products (x86-64).
    Avx512,
}

impl Instructions {
    /// All of them, the slowest first.
    pub const ALL: [Instructions; 3] = [Instructions::Portable, Instructions::Avx2, Instructions::Avx512];

    /// The fastest that this processor has.
    pub fn best() -> Self {
        Self::ALL.into_iter().rev().find(|i| i.available()).unwrap_or(Instructions::Portable)
    }

    /// Whether this processor has them.
    pub fn available(self) -> bool {
        match self {
            Instructions::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq"),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}
