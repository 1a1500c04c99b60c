/** The files of the page, beside those of the explorer that it is made with. */
import { PageFiles, pageFilePaths } from '@fastback/ui'

/** Modules of the page, compiled from `src/page/`. */
export const pageModules = [
  'api',
  'choices',
  'conflict',
  'context',
  'deleted-view',
  'dialog',
  'editor',
  'fields',
  'file-field',
  'frame',
  'history',
  'json-field',
  'labels',
  'links',
  'list-filter',
  'list-view',
  'live',
  'login',
  'main',
  'models',
  'more',
  'picker',
  'polymorphic-field',
  'roles',
  'row-chooser',
  'row-form',
  'row-view',
  'session',
  'table',
  'violations',
  'where'
] as const

export const adminFiles = (): PageFiles => new PageFiles(
  new URL('../', import.meta.url), pageFilePaths(['index.html', 'admin.css'], pageModules)
)
