/** The OAuth provider of the application, if it has one. */
import type { JSONPath } from 'jsonc-parser'
import type { Provider } from '@fastback/oauth2'
import type { FindingLocation } from '../finding.js'
import type { FolderSubject } from '../subject.js'

const names = ['@fastback/oauth2', 'loopback-component-oauth2']

export interface ProviderInFolder {
  readonly settings: Provider['settings']
  place (...keys: JSONPath): FindingLocation
}

export function providerOf (
  { app, configuration: { components }, sources }: FolderSubject
): ProviderInFolder | undefined {
  const provider = app.oauth2 as Provider | undefined
  if (provider?.settings === undefined) return undefined
  const name = components.components.find(component => names.includes(component.name))?.name
  return {
    settings: provider.settings,
    place: (...keys) => sources.config('component-config', [name ?? (names[0] as string), ...keys])
  }
}
