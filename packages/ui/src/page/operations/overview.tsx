/** What the API is: where, how one logs in, its models. */
import { useUi } from '../ui.js'
import { CopyButton } from '../components/copy-button.js'
import { apiAddress } from './addresses.js'
import { TokenField } from './token-field.js'

export function Overview () {
  const { description } = useUi()
  const { info: { title, version, description: about }, tags } = description.document
  const sorted = [...tags].sort((one, other) => one.name.localeCompare(other.name))
  return (
    <>
      <header class="view-head">
        <h2>{title}</h2><span class="chip">{version}</span>
        <a class="button" href="openapi.json">openapi.json</a>
      </header>
      <div class="view-body api-overview">
        {about !== undefined && <p class="api-about">{about}</p>}
        <dl class="api-facts">
          <dt>Address</dt><dd><code>{description.base}</code> <CopyButton text={() => description.base}/></dd>
          {description.secured && <><dt>Access</dt><dd><TokenField/></dd></>}
        </dl>
        <h3>Models</h3>
        <ul class="cards">
          {sorted.map(({ name, description: text }) => (
            <li key={name}>
              <a class="card" href={apiAddress(name)}>
                <h4>{name}</h4>
                {text !== undefined && <p class="quiet-text">{text}</p>}
                <p class="quiet-text">{description.of(name).length} operations</p>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
