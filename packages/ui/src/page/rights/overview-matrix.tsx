/** Models by roles: what of reading, writing and executing each may. */
import type { ModelRights, Rights } from '../../contracts/rights.js'
import { rightsAddress } from './addresses.js'
import { roleName, summaryOf, type Extent } from './cells.js'

const kinds = [['READ', 'R', 'read'], ['WRITE', 'W', 'write'], ['EXECUTE', 'X', 'execute']] as const
const words: Readonly<Record<Extent, string>> = { all: 'all', some: 'a part', none: 'nothing' }

/** The kinds of access that methods of a model are of. */
const kindsOf = ({ lines }: ModelRights): Array<typeof kinds[number]> =>
  kinds.filter(([type]) => lines.some(({ accessType }) => accessType === type))

export const OverviewMatrix = ({ rights: { models, roles } }: { readonly rights: Rights }) =>
  <>
    <p class="legend">
      <span><span class="right all">R</span>all of it</span>
      <span><span class="right some">R</span>a part: some rows, properties or methods</span>
      <span><span class="right none">R</span>nothing</span>
      <span>R is read, W is write, X is execute</span>
    </p>
    <div class="table-box matrix-box" tabIndex={0} role="region" aria-label="Who may do what">
      <table class="matrix">
        <thead>
          <tr><th scope="col">Model</th>{roles.map(role => <th key={role} scope="col">{roleName(role)}</th>)}</tr>
        </thead>
        <tbody>
          {models.map(model => (
            <tr key={model.model}>
              <th scope="row"><a href={rightsAddress(model.model)}>{model.model}</a></th>
              {roles.map(role => (
                <td key={role}>
                  {kindsOf(model).map(([type, letter, verb]) => {
                    const extent = summaryOf(model, role, type)
                    return (
                      <span key={type} class={`right ${extent}`} title={`${verb}: ${words[extent]}`}>
                        <span aria-hidden="true">{letter}</span><span class="sr-only">{verb}: {words[extent]}. </span>
                      </span>
                    )
                  })}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </>
