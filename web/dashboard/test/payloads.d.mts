export declare const payloads: readonly string[];
