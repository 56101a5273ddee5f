# Runs blocks from standard input, each up to a line that ends it; then prints that line and a status.
end=$'\x1eend'
exec 3<&0 </dev/null
block=
while IFS= read -r line <&3; do
    if [[ $line == "$end" ]]; then
        (set -euo pipefail; eval "$block")
        printf '%s%s\n' "$end" "$?"
        block=
    else
        block+=$line$'\n'
    fi
done
