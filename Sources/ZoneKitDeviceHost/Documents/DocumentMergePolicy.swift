import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// The merge policy of an app with documents: they merge by `DocumentMerge`, with the common ancestor where it is known.
///
/// Its rule names are `updatedAt`, `alive` and `content` for what put the winner first, `merged` if the result has parts
/// of both versions, `revived` for an edit of a document of which the cloud has nothing left, and `purged` if both the
/// cloud and the user gave the document up.
package struct DocumentMergePolicy: Sendable {
  private let schema: DocumentSchema

  /// The policy for documents of that schema.
  package init(_ schema: DocumentSchema) { self.schema = schema }

  /// The policy for the configuration of a coordinator.
  package var policy: MergePolicy { MergePolicy(resolve) }

  /// Decides a conflict. Swapping the two sides gives the same content by the same rule.
  @Sendable package func resolve(_ conflict: Conflict) -> Resolution {
    guard let local = conflict.local else { return left(conflict.server, .adoptServer) }
    guard let server = conflict.server else { return left(local, .keepLocal) }
    guard let ours = try? local.fields.decoded(), let theirs = try? server.fields.decoded() else {
      return byBytes(local, server)
    }
    let merge = DocumentMerge(
      schema.collection(conflict.recordType) ?? DocumentCollection(conflict.recordType, []))
    let (first, second) = (merge.order(ours), merge.order(theirs))
    let merged =
      (try? conflict.ancestor?.fields.decoded()).map { merge.merge(ours, theirs, ancestor: $0) }
      ?? merge.join(ours, theirs)
    let result = RecordContent(
      fields: EncodedFields(merged), parent: first < second ? server.parent : local.parent)
    let winner = first < second ? server : local
    let rule = result == winner ? first.rule(against: second) : "merged"
    // The cloud's version is compared first: if it is the result, nothing has to be sent.
    if result == server { return Resolution(.adoptServer, rule: rule) }
    if result == local { return Resolution(.keepLocal, rule: rule) }
    return Resolution(.merged(result), rule: rule)
  }

  /// One side has nothing left of the document. A version that is not deleted is made anew.
  private func left(_ version: RecordContent?, _ outcome: Resolution.Outcome) -> Resolution {
    let isAlive = (try? version?.fields.decoded())?.isDeleted == false
    return isAlive ? Resolution(outcome, rule: "revived") : Resolution(.delete, rule: "purged")
  }

  /// The greater text, for records that cannot be read.
  private func byBytes(_ local: RecordContent, _ server: RecordContent) -> Resolution {
    let isLocalGreater = server.fields.utf8.lexicographicallyPrecedes(local.fields.utf8)
    return Resolution(isLocalGreater ? .keepLocal : .adoptServer, rule: "content")
  }
}
