import ZoneKitMetrics
import ZoneKitRecords
import ZoneKitWire

/// The route `/metrics`: what the server has counted, for Prometheus. The text is made for each request.
struct MetricsRoute {
  /// The first path segment.
  static var root: String { "metrics" }

  /// Decides who may read.
  let access: ControlAccess
  /// Writes the metrics; those of each zone too if asked for.
  let write: (_ withZones: Bool) -> MetricText

  /// The route.
  var route: HTTPRoute { .ofOwnOrigin(serve) }

  private func serve(_ exchange: HTTPExchange) {
    let request = exchange.request
    guard request.path == "/\(Self.root)" else { return exchange.reply(.notServed(request)) }
    guard ["GET", "HEAD"].contains(request.method) else { return exchange.reply(.onlyReads) }
    do throws(HTTPError) {
      let withZones = try MetricsQuery(request).withZones
      if let error = access.refusal(ofMetrics: request, isLocal: exchange.clientIsLocal, withZones: withZones) {
        return exchange.reply(.failure(403, error.reason))
      }
      exchange.reply(
        HTTPReply(status: 200, contentType: MetricText.contentType, body: Array(write(withZones).text.utf8)))
    } catch {
      exchange.reply(.failure(error.status, error.reason))
    }
  }
}
