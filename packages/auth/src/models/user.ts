import { defineModel } from '@fastback/core'
import { defaultMaxTtl, defaultTtl } from '../user/ttl.js'

const row = (permission: string, principalId: string, property?: string, accessType?: string) => ({
  principalType: 'ROLE',
  principalId,
  permission,
  ...(property === undefined ? {} : { property }),
  ...(accessType === undefined ? {} : { accessType })
})

/**
 * The fields of 3.0; the further ones of 2.x are declared by applications that use them (specification, Versioning 14).
 */
export const userDefinition = defineModel({
  name: 'User',
  base: 'PersistedModel',
  properties: {
    realm: { type: 'string' },
    username: { type: 'string' },
    password: { type: 'string', required: true },
    email: { type: 'string', required: true },
    emailVerified: { type: 'boolean' },
    verificationToken: { type: 'string' }
  },
  hidden: ['password', 'verificationToken'],
  relations: {
    accessTokens: { type: 'hasMany', model: 'AccessToken', foreignKey: 'userId', options: { disableInclude: true } }
  },
  settings: { caseSensitiveEmail: true, ttl: defaultTtl, maxTTL: defaultMaxTtl },
  acls: [
    row('DENY', '$everyone'),
    row('ALLOW', '$everyone', 'create'),
    row('ALLOW', '$owner', 'deleteById'),
    row('ALLOW', '$everyone', 'login'),
    row('ALLOW', '$everyone', 'logout'),
    row('ALLOW', '$owner', 'findById'),
    row('ALLOW', '$owner', 'patchAttributes'),
    row('ALLOW', '$owner', 'replaceById'),
    row('ALLOW', '$everyone', 'verify', 'EXECUTE'),
    row('ALLOW', '$everyone', 'confirm'),
    row('ALLOW', '$everyone', 'resetPassword', 'EXECUTE'),
    row('ALLOW', '$authenticated', 'changePassword', 'EXECUTE'),
    row('ALLOW', '$authenticated', 'setPassword', 'EXECUTE')
  ]
})
