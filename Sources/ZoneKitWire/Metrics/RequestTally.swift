import ZoneKitMetrics
import ZoneKitRecords

/// The requests that a server has answered: how many of each endpoint with each outcome, and how long they took. Counting
/// one is an increment in fixed memory.
package struct RequestTally: Sendable {
  /// What became of a request.
  package enum Outcome: Int, CaseIterable, Sendable {
    case success, clientError, throttled, serverError, dropped

    /// The outcome of an answer with that status; nil if the connection was closed instead.
    package init(status: Int?) {
      switch status {
      case nil: self = .dropped
      case 429?: self = .throttled
      case .some(..<400): self = .success
      case .some(..<500): self = .clientError
      case .some: self = .serverError
      }
    }

    /// The outcome as the value of a label.
    package var name: String {
      switch self {
      case .success: "success"
      case .clientError: "client_error"
      case .throttled: "throttled"
      case .serverError: "server_error"
      case .dropped: "dropped"
      }
    }
  }

  /// The numbers by endpoint and, within one, by outcome.
  private var counts = [UInt64](repeating: 0, count: RequestEndpoint.all.count * Outcome.allCases.count)
  private var durations = [DurationHistogram](repeating: DurationHistogram(), count: RequestEndpoint.all.count)

  /// A tally of no request.
  package init() {}

  /// A request was answered with that status, or its connection was closed instead, that many nanoseconds after its head.
  package mutating func count(method: String, path: String, status: Int?, nanoseconds: Int64) {
    let endpoint = RequestEndpoint.number(method: method, path: path)
    counts[endpoint * Outcome.allCases.count + Outcome(status: status).rawValue] += 1
    durations[endpoint].record(nanoseconds)
  }

  private func count(_ endpoint: Int, _ outcome: Outcome) -> UInt64 {
    counts[endpoint * Outcome.allCases.count + outcome.rawValue]
  }

  /// The number of answered requests of a protocol. Those that browsers ask before others do not count.
  package func count(of family: RequestEndpoint.Family) -> UInt64 {
    RequestEndpoint.all.indices.filter { RequestEndpoint.all[$0].family == family }
      .filter { !RequestEndpoint.all[$0].isPreflight }
      .reduce(0) { sum, number in Outcome.allCases.reduce(sum) { $0 + count(number, $1) } }
  }

  /// Writes the families of requests. What never happened has no sample.
  package func write(to text: inout MetricText) {
    var samples: [MetricText.Sample] = []
    var histograms: [([MetricText.Label], DurationHistogram)] = []
    for (number, endpoint) in RequestEndpoint.all.enumerated() where durations[number].count > 0 {
      let labels = [("protocol", endpoint.family.rawValue), ("endpoint", endpoint.name)]
      for outcome in Outcome.allCases where count(number, outcome) > 0 {
        samples.append((labels + [("outcome", outcome.name)], .count(count(number, outcome))))
      }
      histograms.append((labels, durations[number]))
    }
    text.add(.counter, "requests_total", "Answered requests by protocol, endpoint and outcome.", samples)
    text.add(
      "request_duration_seconds", "Time from the head of a request to its answer, its commit included.", histograms)
  }
}
