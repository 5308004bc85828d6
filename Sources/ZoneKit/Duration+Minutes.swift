extension Duration {
  /// A duration of that many minutes.
  public static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }

  /// A duration of that many hours.
  public static func hours(_ count: Int) -> Duration { .seconds(count * 3_600) }
}
