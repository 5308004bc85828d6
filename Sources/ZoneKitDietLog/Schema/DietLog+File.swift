extension DietLog {
  /// The file that describes the documents, as `serve --documents` reads one.
  static let file = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "dietlog",
      "description": "A food diary for one person on several devices. Amounts are integers: kilocalories, milligrams, thousandths.",
      "x-zonekit-zone": "DietLog",
      "type": "object",
      "properties": {
        "foodLogs": {"type": "array", "items": {"$ref": "#/$defs/FoodLog"}},
        "weightLogs": {"type": "array", "items": {"$ref": "#/$defs/WeightLog"}},
        "userGoals": {
          "type": "array", "items": {"$ref": "#/$defs/Goals"}, "x-zonekit-identity": {"only": "goals"}
        },
        "recentFoods": {
          "type": "array", "items": {"$ref": "#/$defs/RecentFood"}, "x-zonekit-identity": {"member": "foodId"}
        },
        "families": {"type": "array", "items": {"$ref": "#/$defs/Family"}},
        "familyMembers": {"type": "array", "items": {"$ref": "#/$defs/FamilyMember"}},
        "dailySummaries": {
          "type": "array",
          "x-zonekit-summary": {"of": "foodLogs", "by": "loggedDate", "documents": "meals", "items": "items"}
        }
      },
      "$defs": {
        "FoodLog": {
          "type": "object",
          "properties": {
            "loggedDate": {"type": "string", "format": "date"},
            "loggedAt": {"type": "string", "format": "date-time"},
            "mealType": {"enum": ["breakfast", "lunch", "dinner", "snack"]},
            "mealName": {"type": "string", "minLength": 1, "maxLength": 100},
            "entryMethod": {"enum": ["search", "barcode", "photo", "manual", "voice", "copy"], "default": "manual"},
            "notes": {"$ref": "#/$defs/notes"},
            "items": {"type": "array", "items": {"$ref": "#/$defs/Food"}, "maxItems": 500}
          },
          "required": ["loggedDate", "loggedAt", "mealType", "entryMethod", "items"]
        },
        "Food": {
          "description": "A food that was eaten, with the amounts of the quantity.",
          "type": "object",
          "properties": {
            "name": {"$ref": "#/$defs/foodName"},
            "foodId": {"$ref": "#/$defs/foodId"},
            "brand": {"$ref": "#/$defs/brand"},
            "quantityMilli": {"$ref": "#/$defs/quantityMilli"},
            "unit": {"$ref": "#/$defs/unit"},
            "energyKcal": {"$ref": "#/$defs/amount"},
            "proteinMg": {"$ref": "#/$defs/amount"},
            "carbsMg": {"$ref": "#/$defs/amount"},
            "fatMg": {"$ref": "#/$defs/amount"},
            "fiberMg": {"$ref": "#/$defs/amount"},
            "sugarMg": {"$ref": "#/$defs/amount"},
            "sodiumMg": {"$ref": "#/$defs/amount"}
          },
          "required": ["name", "quantityMilli", "unit"],
          "x-zonekit-totals": ["energyKcal", "proteinMg", "carbsMg", "fatMg", "fiberMg", "sugarMg", "sodiumMg"]
        },
        "WeightLog": {
          "type": "object",
          "properties": {
            "loggedDate": {"type": "string", "format": "date"},
            "loggedAt": {"type": "string", "format": "date-time"},
            "weightG": {"$ref": "#/$defs/weightG"},
            "bodyFatPermille": {"type": "integer", "minimum": 0, "maximum": 1000},
            "notes": {"$ref": "#/$defs/notes"}
          },
          "required": ["loggedDate", "loggedAt", "weightG"]
        },
        "Goals": {
          "type": "object",
          "properties": {
            "energyKcal": {"$ref": "#/$defs/amount"},
            "proteinMg": {"$ref": "#/$defs/amount"},
            "carbsMg": {"$ref": "#/$defs/amount"},
            "fatMg": {"$ref": "#/$defs/amount"},
            "fiberMg": {"$ref": "#/$defs/amount"},
            "sugarMg": {"$ref": "#/$defs/amount"},
            "sodiumMg": {"$ref": "#/$defs/amount"},
            "weightG": {"$ref": "#/$defs/weightG"},
            "startDate": {"type": "string", "format": "date"}
          }
        },
        "RecentFood": {
          "type": "object",
          "properties": {
            "foodId": {"$ref": "#/$defs/foodId"},
            "name": {"$ref": "#/$defs/foodName"},
            "brand": {"$ref": "#/$defs/brand"},
            "quantityMilli": {"$ref": "#/$defs/quantityMilli"},
            "unit": {"$ref": "#/$defs/unit"},
            "energyKcal": {"$ref": "#/$defs/amount"},
            "proteinMg": {"$ref": "#/$defs/amount"},
            "carbsMg": {"$ref": "#/$defs/amount"},
            "fatMg": {"$ref": "#/$defs/amount"},
            "fiberMg": {"$ref": "#/$defs/amount"},
            "sugarMg": {"$ref": "#/$defs/amount"},
            "sodiumMg": {"$ref": "#/$defs/amount"},
            "lastUsedAt": {"type": "string", "format": "date-time"}
          },
          "required": ["foodId", "name", "quantityMilli", "unit", "lastUsedAt"]
        },
        "Family": {
          "type": "object",
          "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 100}},
          "required": ["name"]
        },
        "FamilyMember": {
          "type": "object",
          "properties": {
            "familyId": {"type": "string", "format": "document-id"},
            "name": {"type": "string", "minLength": 1, "maxLength": 100},
            "role": {"enum": ["owner", "adult", "child"]}
          },
          "required": ["familyId", "name", "role"]
        },
        "amount": {"type": "integer", "minimum": 0, "maximum": 100000000},
        "brand": {"type": "string", "minLength": 1, "maxLength": 100},
        "foodId": {"type": "string", "minLength": 1, "maxLength": 64},
        "foodName": {"type": "string", "minLength": 1, "maxLength": 200},
        "notes": {"type": "string", "minLength": 1, "maxLength": 2000},
        "quantityMilli": {"type": "integer", "minimum": 1, "maximum": 100000000},
        "unit": {"enum": ["g", "ml", "piece", "serving", "cup", "tbsp", "tsp", "slice"]},
        "weightG": {"type": "integer", "minimum": 1000, "maximum": 700000}
      }
    }
    """#
}
