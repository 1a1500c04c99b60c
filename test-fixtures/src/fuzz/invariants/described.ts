/** Responses of the built-in methods are what the server's own description says of them. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ApiDocument } from '../routes.js'
import { isBuiltIn } from './built-in.js'
import type { Invariant } from './fault.js'

export function asDescribed (document: ApiDocument): Invariant {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema({ $id: 'api', components: document.components })
  const validators = new Map<string, ValidateFunction>()
  return ({ operation, request, answer }) => {
    // Of another verb another operation is described; a path spelled in another way may be another operation's.
    if (
      !isBuiltIn(operation) ||
      answer.status === 0 ||
      request.verb !== operation.verb ||
      request.verb === 'HEAD' ||
      !reaches(operation.path, request.target)
    ) { return undefined }
    const given = operation.responses[answer.status] ?? operation.responses.default
    const response =
      given?.$ref === undefined
        ? given
        : document.components?.responses?.[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)]
    if (response === undefined) return `not described: status ${answer.status}`
    if (answer.body.length === 0) {
      return response.content === undefined || answer.status === 204
        ? undefined
        : `not described: an empty ${answer.status}`
    }
    const whole = answer.headers['content-type'] ?? ''
    const type = whole.split(';', 1)[0] as string
    // XML and HTML are for who asks for them; the description is of JSON.
    if (/^(text|application)\/(html|xml|javascript)$/.test(type)) return undefined
    // A type may be described with a parameter that tells it from another one (`boundary=NL`).
    const media = response.content?.[whole] ?? response.content?.[type]
    if (media === undefined) {
      return operation.responses[answer.status] === undefined ? undefined : `not described: ${answer.status} as ${type}`
    }
    if (type !== 'application/json' || media.schema === undefined || answer.failure !== undefined) return undefined
    const key = `${operation.id} ${answer.status}`
    let validate = validators.get(key)
    if (validate === undefined) {
      validators.set(
        key,
        (validate = ajv.compile(
          JSON.parse(JSON.stringify(media.schema).replaceAll('"#/components', '"api#/components')) as object
        ))
      )
    }
    try {
      return validate(JSON.parse(answer.body.toString()))
        ? undefined
        : `not described: ${ajv.errorsText(validate.errors)}: ${answer.body.toString('utf8', 0, 400)}`
    } catch {
      return `no JSON: ${answer.body.toString('utf8', 0, 400)}`
    }
  }
}

/**
 * Whether a target is the operation's path with values in it, and not a longer literal path that the router prefers
 * (`/Notes/count`).
 */
function reaches (path: string, target: string): boolean {
  const asked = (target.split('?', 1)[0] as string).split('/')
  const parts = path.split('/')
  const literals = /^(count|findone|exists|change-stream|login|logout|confirm|update|replace|me|rel|\.|\.\.|)$/i
  return asked.length === parts.length && parts.every((part, index) => {
    const given = asked[index] as string
    return part.startsWith('{')
      ? !literals.test(given) && !/[^\w.~!*'()%@-]/.test(given) && !/%2e|%2f/i.test(given)
      : part === given
  })
}
