/** What aggregates ask for: the same for all models, whose names the conditions of their filters list. */
import type { Schema } from '@fastback/ui/openapi'

const functions = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max']
const periods = ['year', 'quarter', 'month', 'week', 'day', 'hour']

/**
 * The filter of `aggregate`.
 * @param order that of filters, whose names are those of values and groups here
 */
export function aggregateSchema (order: Schema): Schema {
  const timeZone = { type: 'string', description: 'Of periods, an IANA name. Default: UTC' }
  const name = { type: 'string' }
  const group: Schema = {
    anyOf: [
      name,
      {
        type: 'object',
        description: 'A date by its period: { "createdAt": "month" }',
        properties: { timeZone: name },
        additionalProperties: { type: 'string', enum: periods }
      }
    ]
  }
  return {
    type: 'object',
    description: 'What to group by, and what of each group to give',
    properties: {
      where: { type: 'object', description: 'Which rows' },
      groupBy: {
        description: 'Properties, also of related rows ("customer.city"). None: all rows are one group',
        anyOf: [group, { type: 'array', items: group }]
      },
      aggregate: {
        type: 'object',
        description: 'By name: { "total": { "sum": "amount" }, "n": { "count": "*" } }',
        additionalProperties: {
          type: 'object',
          propertyNames: { enum: functions },
          additionalProperties: { type: 'string' },
          minProperties: 1,
          maxProperties: 1
        }
      },
      having: { type: 'object', description: 'A condition on values and groups, which order names as well' },
      order,
      limit: { type: 'integer', minimum: 0 },
      skip: { type: 'integer', minimum: 0 },
      timeZone
    },
    additionalProperties: false
  }
}
