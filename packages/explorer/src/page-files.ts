/** The files of the explorer's page. */
import { PageFiles, pageFilePaths } from '@fastback/ui'

/** Modules of the explorer's page, compiled from `src/page/`. */
export const pageModules = [
  'body-editor',
  'body-fields',
  'code-panel',
  'components',
  'condition-rows',
  'copy',
  'description',
  'dom',
  'file-response',
  'filter-builder',
  'form-editor',
  'history',
  'inputs',
  'json-view',
  'logins',
  'main',
  'operation',
  'request',
  'request-forms',
  'response-view',
  'resumable',
  'row-actions',
  'rows-view',
  'schema-view',
  'shared',
  'sign-in',
  'tags',
  'theme',
  'token',
  'token-form',
  'upload',
  'value-editors'
] as const

/**
 * The files of the explorer's page.
 *
 * ```js
 * await explorerFiles().get('dom.js')
 * ```
 */
export const explorerFiles = (): PageFiles => new PageFiles(
  new URL('../', import.meta.url), pageFilePaths(['index.html', 'style.css', 'icon.svg'], pageModules)
)
