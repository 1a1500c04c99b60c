/** The verb of an operation, in its colour. */
export const Verb = ({ verb }: { readonly verb: string }) => <span class="verb" data-verb={verb.toLowerCase()}>{verb}</span>
