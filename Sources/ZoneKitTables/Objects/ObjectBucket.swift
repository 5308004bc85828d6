/// A place for the objects of all accounts of an app. Each account sees its own.
package struct ObjectBucket: Hashable, Sendable {
  /// The bucket's name.
  package var name: String
  /// The media types of its objects.
  package var mediaTypes: [String]
  /// The most bytes of an object.
  package var sizeLimit: Int

  /// A bucket with those properties.
  package init(_ name: String, mediaTypes: [String], sizeLimit: Int) {
    self.name = name
    self.mediaTypes = mediaTypes
    self.sizeLimit = sizeLimit
  }
}
