/// The devices of a simulation, by number. It behaves as an array, and a question to one device does not copy it.
///
/// An array copies an element for each question to it if the optimizer does not see the whole question. A device has
/// some hundred parts, and copying them took a fifth of the time of a simulation.
package struct SimulatedDevices: RandomAccessCollection {
  private var devices: [SimulatedDevice] = []

  package var startIndex: Int { 0 }

  package var endIndex: Int { devices.count }

  package internal(set) subscript(number: Int) -> SimulatedDevice {
    @inline(__always) _read { yield devices.span[number] }
    @inline(__always) _modify { yield &devices[number] }
  }

  mutating func append(_ device: SimulatedDevice) { devices.append(device) }
}
