import Records
import Simulator

// One `import ZoneKit` is enough: these are the names that an app's rules and its tests are written with.

// What a record is.
public typealias CloudError = Records.CloudError
public typealias CloudErrorCode = Records.CloudErrorCode
public typealias Field = Records.Field
public typealias FieldValue = Records.FieldValue
public typealias Fields = Records.Fields
public typealias Location = Records.Location
public typealias Name = Records.Name
public typealias RecordID = Records.RecordID
public typealias Reference = Records.Reference
public typealias StoreError = Records.StoreError
public typealias WallTime = Records.WallTime
public typealias ZoneID = Records.ZoneID

// What an app tells its devices' coordinator, and hears from it.
public typealias Conflict = CoordinatorConflict
public typealias ConflictEntry = CoordinatorConflictEntry
public typealias CoordinatorConfiguration = CoordinatorSettings
public typealias DeviceDiagnostics = CoordinatorDiagnostics
public typealias FieldMerge = CoordinatorFieldMerge
public typealias MergePolicy = CoordinatorMergePolicy
public typealias RecordContent = CoordinatorRecordContent
public typealias RecordEdit = CoordinatorRecordEdit
public typealias Resolution = CoordinatorResolution
public typealias StoreReset = CoordinatorStoreReset
