import ZoneKitRecords

/// A request for objects of a bucket. The bytes of an upload are in the store before the request is taken in.
package enum ObjectRequest: Hashable, Sendable {
  /// Adds an object, or replaces the one at the path.
  case put(bucket: String, path: String, ObjectContent, replaces: Bool)
  /// Reads an object.
  case find(bucket: String, path: String, by: Access = .caller)
  /// Removes the objects at those paths.
  case remove(bucket: String, paths: [String])
  /// Lists the objects and folders of a folder.
  case list(bucket: String, ObjectListing)
  /// Asks for links to objects that need no key.
  case sign(bucket: String, paths: [String])

  /// By which right an object is read.
  package enum Access: Hashable, Sendable {
    /// By that of the caller.
    case caller
    /// By that of everyone, whose objects are those of public buckets.
    case everyone
    /// By that of a link, which the server has signed.
    case link
  }

  /// The most objects of one request.
  package static let objectLimit = 1_000

  /// The bucket.
  package var bucket: String {
    switch self {
    case .put(let bucket, _, _, _), .find(let bucket, _, _), .remove(let bucket, _), .list(let bucket, _),
      .sign(let bucket, _):
      bucket
    }
  }

  /// The paths that the request names; the folder of a list.
  package var paths: [String] {
    switch self {
    case .put(_, let path, _, _), .find(_, let path, _): [path]
    case .remove(_, let paths), .sign(_, let paths): paths
    case .list(_, let listing): [listing.folder]
    }
  }
}

/// The answer to an `ObjectRequest`.
package enum ObjectResponse: Hashable, Sendable {
  /// The object was stored or found.
  case object(StoredObject)
  /// The objects were removed. Those that did not exist are not among them.
  case removed([StoredObject])
  /// The entries of a list.
  case listed([ObjectListing.Entry])
  /// The objects for which links may be made, in the order of the request; nil for one that does not exist.
  case signable([StoredObject?])
  /// The request was refused and changed nothing.
  case refused(ObjectError)
}
