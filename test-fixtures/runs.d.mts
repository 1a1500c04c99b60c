/** How many runs a random test makes. */
export function runsOf (usual: number): number
