import ZoneKitRecords
import ZoneKitSync

// One `import ZoneKit` is enough: these are the names that an app's rules and its tests are written with.

// MARK: Records

/// An error that the cloud answers with.
public typealias CloudError = ZoneKitRecords.CloudError
/// The code of an error that the cloud answers with, by the names of CloudKit's native errors.
public typealias CloudErrorCode = ZoneKitRecords.CloudErrorCode
/// One field of a record.
public typealias Field = ZoneKitRecords.Field
/// The value of one field; literals of texts, numbers and truths stand for one.
public typealias FieldValue = ZoneKitRecords.FieldValue
/// The fields of a record; a dictionary literal stands for some.
public typealias Fields = ZoneKitRecords.Fields
/// A place on Earth.
public typealias Location = ZoneKitRecords.Location
/// A name of a record, zone, type, field or user; a literal of a text stands for one.
public typealias Name = ZoneKitRecords.Name
/// Names a record: its name and its zone.
public typealias RecordID = ZoneKitRecords.RecordID
/// A pointer from one record to another.
public typealias Reference = ZoneKitRecords.Reference
/// A failure of a store's disk.
public typealias StoreError = ZoneKitRecords.StoreError
/// A moment by a wall clock.
public typealias WallTime = ZoneKitRecords.WallTime
/// Names a zone; a literal of a text stands for one of the user's own.
public typealias ZoneID = ZoneKitRecords.ZoneID

// MARK: The coordinator of a device

/// Two versions of a record that were made apart.
public typealias Conflict = ZoneKitSync.Conflict
/// An entry of the conflict journal: two versions that met, and the decision about them.
public typealias ConflictEntry = ZoneKitSync.ConflictEntry
/// The configuration that an app gives its coordinator.
public typealias CoordinatorConfiguration = ZoneKitSync.CoordinatorConfiguration
/// The state of one device and its last pushes, fetches, sends and conflicts.
public typealias DeviceDiagnostics = ZoneKitSync.DeviceDiagnostics
/// The three-way merge of two versions' fields.
public typealias FieldMerge = ZoneKitSync.FieldMerge
/// The app's rule for two versions of one record that were made apart.
public typealias MergePolicy = ZoneKitSync.MergePolicy
/// The content of a record: its fields and its parent.
public typealias RecordContent = ZoneKitSync.RecordContent
/// One edit that the app makes.
public typealias RecordEdit = ZoneKitSync.RecordEdit
/// The decision of a merge policy about a conflict.
public typealias Resolution = ZoneKitSync.Resolution
/// What a reset forgets on a device.
public typealias StoreReset = ZoneKitSync.StoreReset
