mod a {
    pub struct Path;
}

use a::Path;
use a::Path;
