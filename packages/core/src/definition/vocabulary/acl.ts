/** What a rule of access may say. */
import { Type } from '@sinclair/typebox'
import { Keys, unread } from './kinds.js'

export const accessTypes = ['READ', 'WRITE', 'EXECUTE', 'REPLICATE', '*'] as const
export const permissions = ['ALLOW', 'DENY', 'ALARM', 'AUDIT'] as const

const fieldNames = (what: string) => Type.Optional(Type.Array(Type.String(), {
  description: `${what}: names, "*" for all, "-name" for all but that one.`
}))

/** Levels of logins: "mfa" is another word for "2fa". */
const assuranceLevels = ['1fa', '2fa', 'phr', 'mfa'] as const
const AssuranceLevel = Type.Union(assuranceLevels.map(each => Type.Literal(each)), {
  description: '"1fa" (a password), "2fa" or "mfa" (two factors), "phr" (a passkey).'
})

export const AclVocabulary = Type.Object({
  model: unread(Type.Optional(Type.String()), 'A rule of a definition is about its model.'),
  property: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()], {
    description: 'The methods that it is about: a name, a list of names, or "*". Default: all.'
  })),
  // What LoopBack takes as well (lower case, null) is for `faults.ts` to allow; editors offer the words.
  accessType: Type.Optional(Type.Union(accessTypes.map(each => Type.Literal(each)), {
    description: 'The kind of access that it is about. Default: all.'
  })),
  permission: Type.Union(permissions.map(each => Type.Literal(each)), { description: 'What it says.' }),
  principalType: Type.Optional(Type.String({ description: 'ROLE, USER, APP, or the name of a user model. Default: ROLE.' })),
  principalId: Type.Optional(Type.Union([Type.String(), Type.Number()], {
    description: 'The role ("$everyone", "$owner", "admin"), or the id of the user or application.'
  })),
  rows: Type.Optional(Type.Union([Type.Literal('own'), Keys], {
    description: 'The rows that it is about: a condition whose values may be variables ("$user.id"), or "own" for those whose owner the caller is. Default: all.'
  })),
  check: Type.Optional(Type.Union([Type.Literal('own'), Keys], {
    description: 'What a row must be once it is written: a condition like "rows". Default: that.'
  })),
  preset: Type.Optional(Type.Record(Type.String(), Type.Unknown(), {
    description: 'Values that new rows get, whatever the request says. Variables are allowed.'
  })),
  fields: Type.Optional(Type.Object({
    read: fieldNames('Properties that may be read'), write: fieldNames('Properties that may be set')
  }, { additionalProperties: false, description: 'The properties that it is about.' })),
  enforce: Type.Optional(Type.Boolean({
    description: 'False: what the rule would change is logged and counted, and nothing else. Default: true.'
  })),
  accessAssurance: Type.Optional(Type.Union([AssuranceLevel, Type.Object({
    acr: Type.Optional(AssuranceLevel),
    maxAge: Type.Optional(Type.Integer({ minimum: 1, description: 'Seconds that the login may be old. Default: any age.' }))
  }, { additionalProperties: false })], {
    description: 'Of a rule that allows: how the caller must have logged in. Others get 401 STEP_UP_REQUIRED.'
  })),
  description: Type.Optional(Type.Unknown())
})

/** How the caller of a rule or a method must have logged in. */
export const AssuranceVocabulary = AclVocabulary.properties.accessAssurance

/** The keys that a rule may have. */
export const ruleKeys: readonly string[] = Object.keys(AclVocabulary.properties)
