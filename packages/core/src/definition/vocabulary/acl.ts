/** What a rule of access may say. */
import { Type, type Static } from '@sinclair/typebox'
import { unread } from './kinds.js'

export const accessTypes = ['READ', 'WRITE', 'EXECUTE', 'REPLICATE', '*'] as const
export const permissions = ['ALLOW', 'DENY', 'ALARM', 'AUDIT'] as const

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
  description: Type.Optional(Type.Unknown())
})

/** The keys that a rule may have. */
export const ruleKeys: readonly string[] = Object.keys(AclVocabulary.properties)

/** What is known of a rule of access. */
export type AclSettings = Static<typeof AclVocabulary>
