import ZoneKitCloud
import ZoneKitPush
import ZoneKitRecords

/// A fact of one of a server's machines; it is put into words only when somebody reads it.
enum ServerFact {
  case cloud(CloudFact)
  case push(PushFact)

  /// The fact in the form that all machines share.
  var fact: Fact {
    switch self {
    case .cloud(let fact): Fact(fact)
    case .push(let fact): Fact(fact)
    }
  }
}
