import type { ModelDefinitionView, PropertyDefinition } from '../../contracts/models.js'
import { useSlices } from '../components/use-slices.js'

const columns = ['Name', 'Type', 'What holds', 'Default', 'Description']

export function PropertyTable ({ model: { properties } }: { readonly model: ModelDefinitionView }) {
  const shown = useSlices(properties.length, 100)
  return (
    <table class="facts-table">
      <thead><tr>{columns.map(name => <th key={name} scope="col">{name}</th>)}</tr></thead>
      <tbody>
        {properties.slice(0, shown).map(property => (
          <tr key={property.name}>
            <th scope="row">{property.name}{property.required && <span class="required" title="required"> *</span>}</th>
            <td><code>{property.type}</code></td>
            <td><Marks property={property}/></td>
            <td>{property.default !== undefined && <code>{JSON.stringify(property.default)}</code>}</td>
            <td class="quiet-text">{property.description}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Marks ({ property: { id, generated, hidden, protected: isProtected, index, enum: choices } }: {
  readonly property: PropertyDefinition
}) {
  return (
    <span class="chips">
      {id && <span class="chip accent">id{generated ? ', generated' : ''}</span>}
      {hidden && <span class="chip bad">hidden</span>}
      {isProtected && <span class="chip warning">protected</span>}
      {index && <span class="chip info">index</span>}
      {choices?.slice(0, 8).map(choice => <span key={String(choice)} class="chip">{String(choice)}</span>)}
      {choices !== undefined && choices.length > 8 && <span class="chip">and {choices.length - 8} more</span>}
    </span>
  )
}
