/// A place for the objects of all accounts of an app. Each account sees its own.
public struct ObjectBucket: Hashable, Sendable {
  /// The bucket's name.
  public var name: String
  /// The media types of its objects.
  public var mediaTypes: [String]
  /// The most bytes of an object.
  public var sizeLimit: Int

  /// A bucket with those properties.
  public init(_ name: String, mediaTypes: [String], sizeLimit: Int) {
    self.name = name
    self.mediaTypes = mediaTypes
    self.sizeLimit = sizeLimit
  }
}
