import ZoneKitRecords
import ZoneKitSync

// These names are sufficient for an app's rules and tests, so that they need only `import ZoneKit`.

// MARK: Records

/// An error with which the cloud answers.
public typealias CloudError = ZoneKitRecords.CloudError
/// The code of a cloud error, with the name of CloudKit's native error.
public typealias CloudErrorCode = ZoneKitRecords.CloudErrorCode
/// A field of a record.
public typealias Field = ZoneKitRecords.Field
/// The value of a field. It can be written as a literal of a string, number or Boolean.
public typealias FieldValue = ZoneKitRecords.FieldValue
/// The fields of a record. They can be written as a dictionary literal.
public typealias Fields = ZoneKitRecords.Fields
/// A geographic location.
public typealias Location = ZoneKitRecords.Location
/// A name of a record, zone, type, field or user. It can be written as a string literal.
public typealias Name = ZoneKitRecords.Name
/// The ID of a record: its name and its zone.
public typealias RecordID = ZoneKitRecords.RecordID
/// A reference from one record to another.
public typealias Reference = ZoneKitRecords.Reference
/// A failure of a store's disk.
public typealias StoreError = ZoneKitRecords.StoreError
/// The error of a time zone that is not known or cannot be read.
public typealias TimeZoneError = ZoneKitRecords.TimeZoneError
/// The rules of a time zone.
public typealias TimeZoneRules = ZoneKitRecords.TimeZoneRules
/// A time of a wall clock.
public typealias WallTime = ZoneKitRecords.WallTime
/// The ID of a zone. A string literal stands for a zone of the user's own.
public typealias ZoneID = ZoneKitRecords.ZoneID

// MARK: The coordinator of a device

/// Two versions of a record that were made independently.
public typealias Conflict = ZoneKitSync.Conflict
/// An entry of the conflict journal: two conflicting versions and the decision.
public typealias ConflictEntry = ZoneKitRecords.ConflictEntry
/// The settings of a coordinator.
public typealias CoordinatorConfiguration = ZoneKitSync.CoordinatorConfiguration
/// The state of one device and its last pushes, fetches, sends and conflicts.
public typealias DeviceDiagnostics = ZoneKitSync.DeviceDiagnostics
/// The three-way merge of two versions' fields.
public typealias FieldMerge = ZoneKitSync.FieldMerge
/// The app's rule for two versions of one record that were made independently.
public typealias MergePolicy = ZoneKitSync.MergePolicy
/// The content of a record: its fields and its parent.
public typealias RecordContent = ZoneKitRecords.RecordContent
/// An edit by the app.
public typealias RecordEdit = ZoneKitSync.RecordEdit
/// The decision of a merge policy about a conflict.
public typealias Resolution = ZoneKitSync.Resolution
/// What a reset removes from a device.
public typealias StoreReset = ZoneKitSync.StoreReset
