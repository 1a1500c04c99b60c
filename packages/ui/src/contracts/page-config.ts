/** What a server says of its page, in the file `ui.json` next to it. */

/** The parts of the page, in the order of the menu. */
export const viewNames = ['data', 'api', 'models', 'rights', 'activity'] as const

export type ViewName = typeof viewNames[number]

export interface PageConfig {
  /** What the page is called; undefined: by the title of the API. */
  readonly title?: string
  /** What is there, in the order of the menu; the first one is shown first. */
  readonly views: readonly ViewName[]
  /** Whether the caller may do what only whoever develops the application may: change definitions, log in as others. */
  readonly development: boolean
  /** Response headers that the API part leaves out. */
  readonly hiddenHeaders?: readonly string[]
  /** Where GraphQL is, from the root of the API's server; undefined: there is none to try. */
  readonly graphql?: string
  /** Whether models can be changed from the page: in development, where `fastback serve` serves a folder. */
  readonly changes?: boolean
}
