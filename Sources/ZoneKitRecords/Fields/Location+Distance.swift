extension Location {
  /// The square of the straight line through a sphere of radius 1 to another location: 0 for the same place, 4 for the
  /// opposite one. It grows with the distance on the surface, so that distances are compared by it.
  package func squaredChord(to other: Location) -> Double {
    let (first, second) = (point, other.point)
    let (x, y, z) = (first.x - second.x, first.y - second.y, first.z - second.z)
    return x * x + y * y + z * z
  }

  /// The value of `squaredChord` for a distance in metres on the surface of the Earth.
  package static func squaredChord(ofMetres metres: Double) -> Double {
    guard metres > 0 else { return 0 }
    // From half of the circumference on, every place is within the distance.
    let angle = min(metres / earthRadius, .pi)
    let half = Circle.sine(angle / 2)
    return 4 * half * half
  }

  /// The mean radius of the Earth in metres (IUGG).
  private static let earthRadius = 6_371_008.8

  /// The place on a sphere of radius 1.
  private var point: (x: Double, y: Double, z: Double) {
    let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
    let cosine = Circle.cosine(latitude)
    return (cosine * Circle.cosine(longitude), cosine * Circle.sine(longitude), Circle.sine(latitude))
  }
}

/// Sine and cosine without the C library, which pure code does not use.
private enum Circle {
  static func cosine(_ angle: Double) -> Double { sine(angle + .pi / 2) }

  /// The sine of an angle in radians, with an error below 1e-15 for angles of a few turns.
  static func sine(_ angle: Double) -> Double {
    guard angle.magnitude < 0x1p53 else { return 0 }
    var rest = angle - 2 * .pi * Double(Int64(angle / (2 * .pi)))
    if rest > .pi { rest -= 2 * .pi }
    if rest < -.pi { rest += 2 * .pi }
    // The series is exact enough up to a quarter turn.
    if rest > .pi / 2 { rest = .pi - rest }
    if rest < -.pi / 2 { rest = -.pi - rest }
    var term = rest
    var sum = rest
    for step in stride(from: 2.0, through: 22, by: 2) {
      term *= -rest * rest / (step * (step + 1))
      sum += term
    }
    return sum
  }
}
