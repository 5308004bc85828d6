import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitWire

/// The route `/assets`: uploads and downloads of assets, without a sign-in.
struct AssetRoute {
  /// The assets.
  let assets: AssetService

  /// How many times the limit of an asset a body may have. What is above the limit is refused and dropped, and a client that
  /// reads no answer before it has sent everything gets the refusal.
  private static let dropFactor = 4

  /// The route.
  var route: HTTPRoute {
    HTTPRoute(
      body: { request in
        request.method == "POST" || request.method == "PUT"
          ? .pieces(limit: max(assets.limit, HTTPLimits.body) * Self.dropFactor) : .whole(limit: HTTPLimits.body)
      },
      serve: serve)
  }

  /// A random identifier for an error.
  static var uuid: String {
    var generator = SystemGenerator()
    return RandomIdentifier.uuid(using: &generator)
  }

  private func serve(_ exchange: HTTPExchange) {
    do throws(RequestFailure) {
      switch try AssetCall(exchange.request) {
      case .upload(let token): AssetReceiver.receive(exchange, with: token, for: assets)
      case .download(let checksum, let database): AssetSender.send(checksum, in: database, to: exchange, of: assets)
      }
    } catch {
      exchange.refuse(with: AssetReplyWriter.failure(error, uuid: Self.uuid))
    }
  }
}

extension HTTPExchange {
  /// Answers before the body has arrived. The rest of it is dropped. A client that waits for an interim answer need not send
  /// it, and one of a length that is not read at all does not either, so the connection ends.
  func refuse(with reply: HTTPReply, readingAtMost limit: Int = .max) {
    endsConnection = request.fields["Expect"] != nil || request.contentLength.map { $0 > limit } ?? false
    self.reply(reply)
  }
}
