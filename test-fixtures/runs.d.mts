/** How many runs a random test makes. */
export declare function runsOf (usual: number): number
