import type { ModelClass } from '@fastback/core'
import { withoutEndSlashes } from '@fastback/core/remote'

/** `/Notes`: the model's `http.path`, else its plural. */
export function modelPath (Model: ModelClass, normalise: boolean): string {
  const { http } = Model.settings
  const written = (http as { path?: string } | undefined)?.path ?? Model.pluralModelName
  const path = `/${withoutEndSlashes(written.replace(/^\/+/, ''))}`
  return normalises(Model, normalise) ? normalisePath(path) : path
}

/** Whether the paths of a model's methods are normalised: its own setting, else the application's. */
export function normalises (Model: ModelClass, application: boolean): boolean {
  return (Model.settings.remoting as { normalizeHttpPath?: boolean } | undefined)?.normalizeHttpPath ?? application
}

/**
 * Every segment in lower case with dashes: `/MyNotes/:id/lastChange` becomes `/my-notes/:id/last-change`. Parameters
 * stay.
 */
export function normalisePath (path: string): string {
  return path.split('/').map(segment => segment.startsWith(':') ? segment : dashed(segment)).join('/')
}

const dashed = (segment: string): string =>
  segment
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
