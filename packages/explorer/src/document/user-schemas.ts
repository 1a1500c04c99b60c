/**
 * What the methods of user models take and give, where their definitions say no more than `object` (behaviour.md,
 * section 3).
 */
import type { ModelClass, SharedMethod } from '@fastback/core'
import { extendsModel } from '@fastback/core/remote'
import type { Schema } from '@fastback/ui/openapi'

const text: Schema = { type: 'string' }

const credentials: Schema = {
  type: 'object',
  description: 'The password, with the e-mail address or the user name',
  properties: {
    email: text,
    username: text,
    password: text,
    realm: text,
    ttl: { type: 'integer', description: 'Seconds that the token is good for' }
  },
  required: ['password'],
  examples: [{ email: 'jane@example.com', password: 'correct horse battery' }]
}

const token: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'The access token' },
    ttl: { type: 'integer', description: 'Seconds that it is good for' },
    created: { type: 'string', format: 'date-time' },
    userId: { description: 'Id of the user' }
  },
  required: ['id']
}

const account: Schema = {
  type: 'object',
  properties: { email: text, realm: text },
  required: ['email'],
  examples: [{ email: 'jane@example.com' }]
}

const known: Readonly<Record<string, Schema>> = {
  'login credentials': credentials,
  'login accessToken': token,
  'resetPassword options': account
}

/** The schema of an argument or result of a user model's method; undefined for everything else. */
export function userSchema ({ model, name }: SharedMethod, part: string | undefined): Schema | undefined {
  const schema = known[`${name} ${part}`]
  return schema !== undefined && extendsModel(model, 'User') ? schema : undefined
}

/** What a new account does without: two of the same name would be refused, and a realm would be asked for at login. */
const seldomGiven: ReadonlySet<string> = new Set(['realm', 'username', 'emailVerified', 'verificationToken'])

/** Whether the example of a new row leaves a property out. */
export const isSeldomGiven = (model: ModelClass, name: string): boolean =>
  seldomGiven.has(name) && extendsModel(model, 'User')
