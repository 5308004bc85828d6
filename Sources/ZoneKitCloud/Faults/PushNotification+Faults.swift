import ZoneKitRecords

extension PushNotification: PushedMessage {
  /// The notification after a fault.
  package func altered(by fault: PushFault) -> PushNotification { fault.altered(self) }
}
