/** GraphQL for the editor: faults and proposals by the schema of the server. */
import { autocompletion } from '@codemirror/autocomplete'
import { graphql, updateSchema } from 'cm6-graphql'
import type { Language } from './editing.js'

export const language: Language = {
  extensions: propsOf => [graphql(propsOf().graphqlSchema), autocompletion()],
  follow (view, { graphqlSchema }, before) {
    if (graphqlSchema === undefined || graphqlSchema === before.graphqlSchema) return
    // Its types name those of CommonJS, which are others to the compiler.
    updateSchema(view as unknown as Parameters<typeof updateSchema>[0], graphqlSchema)
  }
}
