import { userModelsOf } from '@fastback/auth/service'
import type { FolderRule } from '../rule.js'
import { some } from '../rows.js'

export const containerOwner: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_CONTAINER_OWNER',
  severity: 'high',
  title: 'Containers belong to an id that users of several models have',
  why: "Ids of different models are alike: the container \"1\" would be that of each model's user 1. The start is refused.",
  find ({ registry, sources, configuration }) {
    const users = userModelsOf(registry).inUse.map(({ modelName }) => modelName)
    if (users.length < 2) return []
    return configuration.dataSources.flatMap(({ name, settings }) =>
      settings.containerOwner !== 'userId'
        ? []
        : [{
            ...sources.config('datasources', [name, 'containerOwner']),
            what: `"containerOwner" is "userId", and ${some(users)} have users.`,
            fix: `"containerOwner": { "model": "${String(users[0])}" }, or "principal" for containers that are named "${String(users[0])}-1"`
          }])
  }
}
