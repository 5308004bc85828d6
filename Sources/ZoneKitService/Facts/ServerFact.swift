import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitPush
import ZoneKitRecords
import ZoneKitTableServer

/// A fact of one of a server's machines. It is converted to text only when it is read.
enum ServerFact {
  case cloud(CloudFact)
  case push(PushFact)
  case documents(DocumentFact)
  case channels(ChannelServerFact)

  /// The fact in the common form of all machines.
  var fact: Fact {
    switch self {
    case .cloud(let fact): Fact(fact)
    case .push(let fact): Fact(fact)
    case .documents(let fact): Fact(fact)
    case .channels(let fact): Fact(fact)
    }
  }
}
