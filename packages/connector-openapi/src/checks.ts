/** Arguments and answers against the schemas of the description. */
import { invalidData, Validators } from '@fastback/core/remote'
import { badGateway } from '@fastback/service-client'
import type { Json } from './json.js'
import { describedResponse, bodyArgument, isJson, type ApiOperation } from './operations.js'
import type { Values } from './request.js'

export class Checks {
  readonly #validators = new Validators({ isForeign: true })

  constructor (readonly dataSource: string) {}

  /** @throws ValidationError 422 naming the arguments */
  arguments (operation: ApiOperation, values: Values): void {
    const violations = this.#validators.json(schemaOfArguments(operation))(values)
    if (violations !== undefined) throw invalidData(violations)
  }

  /** @throws ServiceError 502 BAD_GATEWAY for a response that is not what the description says */
  answer (operation: ApiOperation, status: number, body: unknown): void {
    const schema = describedResponse(operation, status)?.schema
    if (schema === undefined || body === undefined) return
    const violations = this.#validators.json(schema)(body)
    if (violations === undefined) return
    const cause = new Error(violations.slice(0, 10).map(({ path, message }) => `${path} ${message}`).join('; '))
    throw badGateway(this.dataSource, `the response of "${operation.id}" is not what its description says`, cause)
  }
}

/** All arguments as one object. */
function schemaOfArguments ({ parameters, body }: ApiOperation): Json {
  const ofBody = body === undefined || !isJson(body.type) ? {} : { [bodyArgument]: body.schema }
  return {
    type: 'object',
    properties: { ...Object.fromEntries(parameters.map(each => [each.argument, each.schema])), ...ofBody },
    required: [
      ...parameters.filter(({ required }) => required).map(({ argument }) => argument),
      ...body?.required === true ? [bodyArgument] : []
    ]
  }
}
