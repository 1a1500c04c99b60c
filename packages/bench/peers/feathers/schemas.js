import schema from '@feathersjs/schema'
import typebox from '@feathersjs/typebox'

// CommonJS packages whose names Node cannot see.
const { Ajv, hooks, resolve } = schema
const { Type, getValidator, querySyntax } = typebox

// What the generator of Feathers writes for a service: validators for data and query, and a resolver for the result.

const fields = {
  name: Type.String(),
  sku: Type.String(),
  price: Type.Number(),
  stock: Type.Integer(),
  available: Type.Boolean(),
  releasedAt: Type.String(),
  categoryId: Type.Integer(),
  description: Type.String()
}
const options = { additionalProperties: false }
const dataSchema = Type.Object(fields, { $id: 'ProductData', ...options })
const patchSchema = Type.Partial(dataSchema, { $id: 'ProductPatch' })
const querySchema = Type.Intersect([
  querySyntax(Type.Object({ id: Type.Integer(), ...fields }, options)),
  Type.Object({ $include: Type.Optional(Type.Literal('relations')) })
], { $id: 'ProductQuery' })

const dataValidator = getValidator(dataSchema, new Ajv())
const patchValidator = getValidator(patchSchema, new Ajv())
const queryValidator = getValidator(querySchema, new Ajv({ coerceTypes: true }))

export const validateData = hooks.validateData(dataValidator)
export const validatePatch = hooks.validateData(patchValidator)
export const validateQuery = hooks.validateQuery(queryValidator)

/** SQLite keeps booleans as numbers; the rest goes out as it is in the table. */
export const resolveResult = hooks.resolveResult(resolve({ available: async value => value === 1 }))

const toNumber = async value => typeof value === 'boolean' ? Number(value) : value
export const resolveData = hooks.resolveData(resolve({ available: toNumber }))
