/** The operations of one model. */
import type { OpenApiDocument } from '../../contracts/openapi.js'
import { useUi } from '../ui.js'
import { operationAddress, schemaAddress } from './addresses.js'
import { grouped } from './groups.js'
import { Verb } from './verb.js'

export function TagPage ({ tag: { name, description: about } }: { readonly tag: OpenApiDocument['tags'][number] }) {
  const { description } = useUi()
  const schemas = [name, `${name}Row`].filter(each => Object.hasOwn(description.document.components.schemas, each))
  return (
    <>
      <header class="view-head">
        <h2>{name}</h2>
        {schemas.map(each => <a key={each} class="button quiet" href={schemaAddress(each)}>{each}</a>)}
      </header>
      <div class="view-body">
        {about !== undefined && <p class="api-about">{about}</p>}
        {grouped(description.of(name)).map(({ relation, actions }) => (
          <section key={relation} aria-label={relation ?? 'Its own operations'}>
            {relation !== undefined && <h3 class="group-head">{relation}</h3>}
            <ul class="operation-rows">
              {actions.map(action => (
                <li key={action.operationId}>
                  <a href={operationAddress(action)}>
                    <Verb verb={action.verb}/>
                    <code>{action.deprecated === true ? <s>{action.path}</s> : action.path}</code>
                    <span class="quiet-text">{action.deprecated === true ? 'deprecated · ' : ''}{action.summary}</span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
