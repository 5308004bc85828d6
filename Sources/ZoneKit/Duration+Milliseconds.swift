extension Duration {
  /// The duration in whole milliseconds, rounded down.
  var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }

  /// A duration of that many minutes.
  public static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }

  /// A duration of that many hours.
  public static func hours(_ count: Int) -> Duration { .seconds(count * 3_600) }
}
